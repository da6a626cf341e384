import {MODELS} from '../../contract/names.ts';
import type {State} from '../core/program.ts';

/** Models of the profile, or the five of the service's API. */
export const modelsOf = ({models}: Pick<State, 'models'>): State['models'] =>
	models.length > 0 ? models : MODELS.map(id => ({id, name: id}));

/** Name of a model for users. */
export const modelName = (state: Pick<State, 'models'>, id: string): string =>
	modelsOf(state).find(model => model.id === id)?.name ?? id;
