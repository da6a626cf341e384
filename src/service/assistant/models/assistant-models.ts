import {createModelKeys} from '../../../settings/model-keys.ts';
import {existsSync} from 'node:fs';
import {defaultModelsFile, ModelsError, readModels, type ModelSettings} from '../../../settings/models.ts';
import {proxiesIn} from '../../../settings/service-environment.ts';
import {isLoopback} from '../../../machine/loopback.ts';
import {ServeError} from '../../serve-error.ts';

export type AssistantModel = ModelSettings & {
	/** The assistant's id for the model, such as `model_2`. */
	readonly id: string;
	/** Null if the model needs no key, or if its variable is not set. */
	readonly key: string | null;
	/** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY for this model; empty without a proxy. */
	readonly proxies: Readonly<Record<string, string>>;
};

/** Models by id. The reference assistant answers under all other ids. */
export type AssistantModels = ReadonlyMap<string, AssistantModel>;

/** Proxies from the settings, else from the environment. A local model needs none. */
const proxiesOf = ({baseUrl, proxy}: ModelSettings): AssistantModel['proxies'] => {
	if (proxy === 'none' || isLoopback(URL.parse(baseUrl)?.hostname ?? '')) return {};
	return proxy === undefined ? proxiesIn() : {HTTPS_PROXY: proxy, HTTP_PROXY: proxy};
};

/**
 * Opens the models file, which is read again for each question. The default file may be missing.
 * @throws {ServeError} 2 or 77 if the file cannot be used now. The returned function throws {@link
 * ModelsError}.
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
