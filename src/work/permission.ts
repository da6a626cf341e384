import {guardOf, type Guard} from '../contract/guarded-paths.ts';
import {parentOf} from '../contract/paths.ts';
import type {Step} from './steps.ts';

/** Kinds of permission. Reading and listing need one only for private paths. */
export const KINDS = ['read', 'run', 'shell', 'write', 'edit'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * A permission. `folder`: covers files in this folder and below. Null covers all files, and is the
 * only value for `run` and `shell`, because code can reach the whole server. Only the user grants
 * permissions, never a model, a file or an output.
 */
export type Grant = {readonly kind: Kind; readonly folder: string | null};

/**
 * `once`: this step. `folder`, `task`: steps of this kind in the step's folder, or in the whole
 * task. `always`: steps of this kind from now on.
 */
export type Decision = 'once' | 'folder' | 'task' | 'always' | 'no';

/**
 * Reason why the user must decide on each such step. Undefined if a permission may cover the step.
 */
export const guardOfStep = (step: Step): Guard | undefined =>
	'path' in step
		? guardOf(step.path, step.kind === 'read' || step.kind === 'list' ? 'read' : 'write')
		: undefined;

/** Kind of permission that a step needs. Null if it needs none. */
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
 * True if a permission covers the step. For a guarded path, only a permission for exactly that path
 * counts.
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

/** Folder that a permission could cover. Null for files in the root, guarded files and code. */
export const folderOf = (step: Step): string | null =>
	(step.kind === 'write' || step.kind === 'edit') && guardOfStep(step) === undefined
		? parentOf(step.path) || null
		: null;

/** Permission for further steps that a decision grants, or null. */
export const grantOf = (step: Step, decision: Decision): Grant | null => {
	const kind = kindOf(step);
	if (kind === null || decision === 'once' || decision === 'no') return null;
	if (decision === 'folder') {
		const folder = folderOf(step);
		return folder === null ? null : {kind, folder};
	}
	return {kind, folder: 'path' in step && guardOfStep(step) !== undefined ? step.path : null};
};
