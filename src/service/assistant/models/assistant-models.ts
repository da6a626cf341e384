import {createModelKeys} from '../../../settings/model-keys.ts';
import {existsSync} from 'node:fs';
import {defaultModelsFile, ModelsError, readModels, type ModelSettings} from '../../../settings/models.ts';
import {proxiesIn} from '../../../settings/service-environment.ts';
import {isLoopback} from '../../../machine/loopback.ts';
import {ServeError} from '../../serve-error.ts';

export type AssistantModel = ModelSettings & {
	/** Id by which the assistant offers the model, such as `model_2`. */
	readonly id: string;
	/**
	 * API key. Null if the model needs no key, or if the environment variable of its key is not
	 * set.
	 */
	readonly key: string | null;
	/**
	 * HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY for this model. Empty if no proxy is used.
	 */
	readonly proxies: Readonly<Record<string, string>>;
};

/** Models by id. The built-in assistant answers for all other ids. */
export type AssistantModels = ReadonlyMap<string, AssistantModel>;

/**
 * Proxies from the model's settings, or else from the environment. A model on this machine needs
 * none.
 */
const proxiesOf = ({baseUrl, proxy}: ModelSettings): AssistantModel['proxies'] => {
	if (proxy === 'none' || isLoopback(URL.parse(baseUrl)?.hostname ?? '')) return {};
	return proxy === undefined ? proxiesIn() : {HTTPS_PROXY: proxy, HTTP_PROXY: proxy};
};

/**
 * Checks the models file. Returns a function that reads the file again, for each question. The
 * default file may be missing.
 * @throws {ServeError} 2 or 77 if the file is invalid or unreadable now. The returned function
 * throws {@link ModelsError}.
 */
export const openAssistantModels = (file: string | undefined): (() => AssistantModels) => {
	if (file === undefined) return () => new Map();
	const keysOf = createModelKeys(file);
	const read = (): AssistantModels => {
		if (file === defaultModelsFile() && !existsSync(file)) return new Map();
		const models = readModels(file);
		const keys = keysOf(models);
		return new Map(
			[...models].map(([id, settings]) => [
				id,
				{...settings, id, key: keys.get(id) ?? null, proxies: proxiesOf(settings)},
			]),
		);
	};
	try {
		read();
	} catch (error) {
		throw error instanceof ModelsError ? new ServeError(error.unsafe ? 77 : 2, error.message) : error;
	}
	return read;
};
