import {guardOf, type Guard} from '../contract/guarded-paths.ts';
import {parentOf} from '../contract/paths.ts';
import type {Step} from './steps.ts';

/** What may be allowed. To read and to list is, but for what is private. */
export const KINDS = ['read', 'run', 'shell', 'write', 'edit'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * What the person has allowed. `folder`: files in it and below it; null is everywhere, and all that there is for `run` and `shell`: code reaches
 * the whole server. It comes from the person alone: nothing that a model, a file or an output says makes one.
 */
export type Grant = {readonly kind: Kind; readonly folder: string | null};

/** For this step; for this kind as long as the task goes on, everywhere or in the step's folder; for this kind from now on. */
export type Decision = 'once' | 'folder' | 'task' | 'always' | 'no';

/** The reason why the user decides on a step each time; undefined if a permission may cover it. */
export const guardOfStep = (step: Step): Guard | undefined =>
	'path' in step
		? guardOf(step.path, step.kind === 'read' || step.kind === 'list' ? 'read' : 'write')
		: undefined;

/** What permission a step needs; null: none. */
export const kindOf = (step: Step): Kind | null => {
	switch (step.kind) {
		case 'ask':
		case 'done':
		case 'give-up':
			return null;
		case 'read':
		case 'list':
			return guardOfStep(step) === undefined ? null : 'read';
		default:
			return step.kind;
	}
};

const isBelow = (path: string, folder: string): boolean =>
	folder === '' || path === folder || path.startsWith(`${folder}/`);

/**
 * True if a step needs no question. A guarded path needs one each time, unless exactly that path
 * was allowed.
 */
export const isAllowed = (grants: readonly Grant[], step: Step): boolean => {
	const kind = kindOf(step);
	if (kind === null) return true;
	return grants.some(grant => {
		if (grant.kind !== kind) return false;
		if (!('path' in step)) return grant.folder === null;
		if (guardOfStep(step) !== undefined) return grant.folder === step.path;
		return grant.folder === null || isBelow(step.path, grant.folder);
	});
};

/**
 * Folder for which this kind of step can be allowed. Null if its file lies in the root or is
 * guarded, or if it is code, which reaches everything.
 */
export const folderOf = (step: Step): string | null =>
	(step.kind === 'write' || step.kind === 'edit') && guardOfStep(step) === undefined
		? parentOf(step.path) || null
		: null;

/** What a yes to a step allows beyond it. */
export const grantOf = (step: Step, decision: Decision): Grant | null => {
	const kind = kindOf(step);
	if (kind === null || decision === 'once' || decision === 'no') return null;
	if (decision === 'folder') {
		const folder = folderOf(step);
		return folder === null ? null : {kind, folder};
	}
	return {kind, folder: 'path' in step && guardOfStep(step) !== undefined ? step.path : null};
};
