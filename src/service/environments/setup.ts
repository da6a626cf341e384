import type {CreateEnvironmentRequest, EnvironmentContents} from '../../contract/environment-setup.ts';
import type {Environment} from '../../contract/environments.ts';

type Awaitable<T> = T | Promise<T>;

/** Contents of environments, and management of environments that the user creates. */
export type EnvironmentSetup = {
	/** Environments in addition to those of the catalogue. */
	list(): readonly Environment[];
	/** Sentence about why a server with this environment cannot be started yet. Null if it can. */
	refusal(id: string): string | null;
	/** Contents of the environments, determined from local files only. */
	contents(ids: readonly string[]): Awaitable<readonly EnvironmentContents[]>;
	/** Contents of an environment, including the size of its download. */
	plan(id: string): Promise<EnvironmentContents>;
	/** Permits downloading the packages of an environment when a server is started. */
	allow(id: string): void;
	/**
	 * Creates an environment.
	 * @throws {ServiceFault} 400 if the packages or the Python cannot be used.
	 */
	create(request: CreateEnvironmentRequest): Awaitable<void>;
	/** Removes an environment. @throws {ServiceFault} 404 if the user did not create it. */
	remove(id: string): Promise<void>;
	/** Ends downloads and builds. */
	close(): void;
};
