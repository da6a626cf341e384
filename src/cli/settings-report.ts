import {existsSync} from 'node:fs';
import {lineOf} from '../settings/json-text.ts';
import {readPrivate} from '../machine/private-file.ts';
import type {ChosenColumns} from '../settings/columns.ts';
import {keepKernelsText} from '../settings/keep-kernels.ts';
import {LOCAL} from '../settings/profile.ts';
import {hostOf} from '../settings/profile-store.ts';
import {SetupError} from '../settings/setup-error.ts';
import {readSettings, settingsFile, type Profile, nameOfAction, placeOfAction} from '../settings/settings.ts';

export type FindKeyProblems = (
	keys: Readonly<Record<string, unknown>>,
	commands: Readonly<Record<string, unknown>>,
) => readonly {readonly entry: string; readonly message: string}[];

/** State of a stored key, without the key itself. */
const keyState = ({keyFile, baseUrl}: Profile): string => {
	if (baseUrl === null) return 'its own';
	const found = readPrivate(keyFile);
	if ('text' in found) return found.text === '' ? 'none' : 'stored';
	return found.fault === 'ENOENT'
		? 'none'
		: found.fault === 'open'
			? `${keyFile} is readable by others; run chmod 600 on it`
			: `${keyFile} cannot be read (${found.fault})`;
};

/** Settings for `info`. `problem`: errors in the settings, null if there are none. */
export const settingsReport = (problemsOfKeys: FindKeyProblems) => {
	const file = settingsFile();
	try {
		const {
			profile,
			profiles,
			theme,
			ascii,
			screenReader,
			pictures,
			mouse,
			colours,
			columns,
			keepKernels,
			keys,
			commands,
			text,
		} = readSettings(file);
		const wrong = problemsOfKeys(keys, commands).map(
			({entry, message}) =>
				`${file}:${lineOf(text, placeOfAction(entry))}: ${nameOfAction(entry)}: ${message}`,
		);
		return {
			settings: {
				file,
				there: existsSync(file),
				theme,
				ascii,
				screen_reader: screenReader,
				pictures,
				mouse,
				colours,
				columns,
				keep_kernels: keepKernels === null ? null : keepKernelsText(keepKernels),
				problem: wrong.length === 0 ? null : wrong.join('; '),
			},
			profiles: Object.fromEntries(
				[...profiles.values()].map(each => [
					each.name,
					{
						host: each.baseUrl === null ? 'this machine' : hostOf(each.baseUrl),
						key: keyState(each),
						read_only: each.facts.readOnly,
						default: (profile ?? LOCAL) === each.name,
					},
				]),
			),
		};
	} catch (error) {
		if (!(error instanceof SetupError)) throw error;
		return {
			settings: {
				file,
				there: true,
				theme: null,
				ascii: null,
				screen_reader: null,
				pictures: null,
				mouse: null,
				colours: null,
				columns: null,
				keep_kernels: null,
				problem: error.message,
			},
			profiles: null,
		};
	}
};

/** Custom colours in one line. Null if there are none. */
export const coloursText = (colours: Readonly<Record<string, string | undefined>> | null): string | null =>
	Object.entries(colours ?? {})
		.map(([role, colour]) => `${role} ${colour}`)
		.join(', ') || null;

/** Chosen columns in one line. Null if there are none. */
export const columnsText = (columns: ChosenColumns | null): string | null =>
	Object.entries(columns ?? {})
		.flatMap(([list, chosen]) => (chosen === null ? [] : [`${list}: ${chosen.join(', ')}`]))
		.join('; ') || null;

/** Text of each profile, in one line. */
export const profileTexts = (
	profiles: ReturnType<typeof settingsReport>['profiles'],
): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Object.entries(profiles ?? {}).map(([name, {host, key, read_only, default: isDefault}]) => [
			name,
			`${host}, key ${key}${read_only ? ', read-only' : ''}${isDefault ? ', used by default' : ''}`,
		]),
	);
