import {takeModelKeys} from '../../../settings/model-keys.ts';
import {ModelsError, readModels, type ModelSettings} from '../../../settings/models.ts';
import {ServeError} from '../../serve-error.ts';

/** A model with its key. */
export type AssistantModel = ModelSettings & {
	/** The assistant's name for it, as `model_2`. */
	readonly id: string;
	/** Null where it needs none, or where its variable is not set. */
	readonly key: string | null;
};

/** By id; the reference assistant answers for those that are not there. */
export type AssistantModels = ReadonlyMap<string, AssistantModel>;

/** Reads the models and their keys once, at the start of the service. @throws {ServeError} 2 or 77 */
export const loadAssistantModels = (file: string | undefined): AssistantModels => {
	if (file === undefined) return new Map();
	try {
		const models = readModels(file);
		const keys = takeModelKeys(models, file);
		return new Map([...models].map(([id, settings]) => [id, {...settings, id, key: keys.get(id) ?? null}]));
	} catch (error) {
		throw error instanceof ModelsError ? new ServeError(error.unsafe ? 77 : 2, error.message) : error;
	}
};
