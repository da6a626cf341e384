import {guardOf, type Guard} from '../contract/guarded-paths.ts';
import {parentOf} from '../contract/paths.ts';
import type {Step} from './steps.ts';

/** Kinds of permission. Reading and listing need one only for private paths. */
export const KINDS = ['read', 'run', 'shell', 'write', 'edit'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * A permission. `folder`: files in and below it, or null for everywhere. Always null for `run` and
 * `shell`, because code reaches the whole server. Only the user can grant one, never a model, a
 * file or an output.
 */
export type Grant = {readonly kind: Kind; readonly folder: string | null};

/**
 * `once`: this step. `folder`, `task`: steps of this kind in the step's folder, or in the whole
 * task. `always`: steps of this kind from now on.
 */
export type Decision = 'once' | 'folder' | 'task' | 'always' | 'no';

/** The reason why the user decides on a step each time; undefined if a permission may cover it. */
export const guardOfStep = (step: Step): Guard | undefined =>
	'path' in step
		? guardOf(step.path, step.kind === 'read' || step.kind === 'list' ? 'read' : 'write')
		: undefined;

/** Permission that a step needs, or null. */
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

/** A guarded path needs a question each time, unless exactly that path was allowed. */
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

/** Folder that a permission could cover. Null for files in the root, guarded files and code. */
export const folderOf = (step: Step): string | null =>
	(step.kind === 'write' || step.kind === 'edit') && guardOfStep(step) === undefined
		? parentOf(step.path) || null
		: null;

/** Permission beyond the step that a decision grants, or null. */
export const grantOf = (step: Step, decision: Decision): Grant | null => {
	const kind = kindOf(step);
	if (kind === null || decision === 'once' || decision === 'no') return null;
	if (decision === 'folder') {
		const folder = folderOf(step);
		return folder === null ? null : {kind, folder};
	}
	return {kind, folder: 'path' in step && guardOfStep(step) !== undefined ? step.path : null};
};
