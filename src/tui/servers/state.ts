import {knownText} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint, type Role} from '../core/theme/theme.ts';

const KNOWN: Readonly<Record<string, {readonly mark: string; readonly role: Role | null}>> = {
	ready: {mark: glyph.ready, role: 'good'},
	starting: {mark: glyph.starting, role: 'busy'},
	offline: {mark: glyph.offline, role: null},
};

/** A state the interface does not name is shown as it came, in a neutral style. */
export const statePlain = (status: string): string =>
	`${Object.hasOwn(KNOWN, status) ? KNOWN[status]?.mark : glyph.other} ${label(knownText(status), 20)}`;

export const stateRole = (status: string): Role | null =>
	Object.hasOwn(KNOWN, status) ? (KNOWN[status]?.role ?? null) : null;

export const stateText = (status: string): string => {
	const role = stateRole(status);
	return role === null ? statePlain(status) : paint(role, statePlain(status));
};
