import {createModelKeys} from '../../../settings/model-keys.ts';
import {existsSync} from 'node:fs';
import {defaultModelsFile, ModelsError, readModels, type ModelSettings} from '../../../settings/models.ts';
import {proxiesIn} from '../../../settings/service-environment.ts';
import {isLoopback} from '../../../machine/loopback.ts';
import {ServeError} from '../../serve-error.ts';

/** A model with its key. */
export type AssistantModel = ModelSettings & {
	/** The assistant's name for it, as `model_2`. */
	readonly id: string;
	/** Null where it needs none, or where its variable is not set. */
	readonly key: string | null;
	/** HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY that hold for it; empty where none does. */
	readonly proxies: Readonly<Record<string, string>>;
};

/** By id; the reference assistant answers for those that are not there. */
export type AssistantModels = ReadonlyMap<string, AssistantModel>;

/** Those of its settings, else those of the environment; a model of this machine is asked without. */
const proxiesOf = ({baseUrl, proxy}: ModelSettings): AssistantModel['proxies'] => {
	if (proxy === 'none' || isLoopback(URL.parse(baseUrl)?.hostname ?? '')) return {};
	return proxy === undefined ? proxiesIn() : {HTTPS_PROXY: proxy, HTTP_PROXY: proxy};
};

/**
 * Opens the file of the models, which is read anew for each question. The default file need not be there.
 * @throws {ServeError} 2 or 77, now; later {@link ModelsError}
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
