import {MODELS} from '../../../contract/names.ts';
import {takeModelKeys} from '../../../settings/model-keys.ts';
import {ModelsError, readModels, type ModelSettings} from '../../../settings/models.ts';
import {ServeError} from '../../serve-error.ts';

/** A model with its key. */
export type AssistantModel = ModelSettings & {
	readonly slot: string;
	/** Null where it needs none, or where its variable is not set. */
	readonly key: string | null;
};

/** By slot; a slot that is not there is the reference assistant's. */
export type AssistantModels = ReadonlyMap<string, AssistantModel>;

/** Reads the models and their keys once, at the start of the service. @throws {ServeError} 2 or 77 */
export const loadAssistantModels = (file: string | undefined): AssistantModels => {
	if (file === undefined) return new Map();
	try {
		const models = readModels(file, MODELS);
		const keys = takeModelKeys(models, file);
		return new Map(
			[...models].map(([slot, settings]) => [slot, {...settings, slot, key: keys.get(slot) ?? null}]),
		);
	} catch (error) {
		throw error instanceof ModelsError ? new ServeError(error.unsafe ? 77 : 2, error.message) : error;
	}
};
