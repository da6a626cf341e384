import {knownText} from '../../text/known.ts';
import {label} from '../../text/safe.ts';
import {glyph} from '../core/theme/glyphs.ts';
import {paint, type Role} from '../core/theme/theme.ts';
import type {ServerItem} from '../../contract/servers.ts';

const LONGEST = 400;

/**
 * Reason for a server's state as a sentence that names its source; null if there is none. The
 * reasons of our own service are already sentences.
 */
export const reasonText = ({status_reason: reason, host}: ServerItem): string | null => {
	if (typeof reason !== 'string' || reason.trim() === '') return null;
	const said = label(reason, LONGEST);
	// A sentence of our own service may start with a host's name, which may be in lower case.
	const sentence = /^\p{Lu}/u.test(said) || typeof host === 'string' ? said : `The service says: ${said}`;
	return /[.!?:…。！？]["')]*$/.test(sentence) ? sentence : `${sentence}.`;
};

const KNOWN: Readonly<Record<string, {readonly mark: string; readonly role: Role | null}>> = {
	ready: {mark: glyph.ready, role: 'good'},
	starting: {mark: glyph.starting, role: 'busy'},
	offline: {mark: glyph.offline, role: null},
	stopping: {mark: glyph.other, role: 'busy'},
	unreachable: {mark: glyph.other, role: 'bad'},
	locked: {mark: glyph.waits, role: 'bad'},
	error: {mark: glyph.no, role: 'bad'},
};

/** Width of a state in a list or in the header, in cells. */
const BRIEF = 20;

/** State without colour. An unknown state is shown as received. `most`: longest text in cells. */
export const statePlain = (status: string, most = BRIEF): string =>
	`${Object.hasOwn(KNOWN, status) ? KNOWN[status]?.mark : glyph.other} ${label(knownText(status), most)}`;

export const stateRole = (status: string): Role | null =>
	Object.hasOwn(KNOWN, status) ? (KNOWN[status]?.role ?? null) : null;

export const stateText = (status: string, most = BRIEF): string => {
	const role = stateRole(status);
	return role === null ? statePlain(status, most) : paint(role, statePlain(status, most));
};
