import type {CreateEnvironmentRequest, EnvironmentContents} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';

type Awaitable<T> = T | Promise<T>;

/** Contents of the environments, and environments that the user created. */
export type EnvironmentSetup = {
	/** Environments beside those of the catalogue. */
	list(): readonly Environment[];
	/** Sentence on why a server with this environment may not start yet, or null. */
	refusal(id: string): string | null;
	/** Contents of these environments, from local files only. */
	contents(ids: readonly string[]): Awaitable<readonly EnvironmentContents[]>;
	/** Contents of one environment, with the size of its download. */
	plan(id: string): Promise<EnvironmentContents>;
	/** Allows starts to download the packages of an environment. */
	allow(id: string): void;
	/** @throws {ServiceFault} 400 if the packages or the Python cannot be used. */
	create(request: CreateEnvironmentRequest): Awaitable<void>;
	/** @throws {ServiceFault} 404 if the user did not create the environment. */
	remove(id: string): Promise<void>;
	/** Ends downloads and builds. */
	close(): void;
};
