import {existsSync} from 'node:fs';
import {lineOf} from '../settings/json-text.ts';
import {readPrivate} from '../state/private-file.ts';
import {keepKernelsText} from '../settings/keep-kernels.ts';
import {LOCAL} from '../settings/profile.ts';
import {hostOf} from '../settings/profile-store.ts';
import {SetupError} from '../settings/setup-error.ts';
import {readSettings, settingsFile, type Profile} from '../settings/settings.ts';

export type FindKeyProblems = (
	keys: Readonly<Record<string, unknown>>,
) => readonly {readonly entry: string; readonly message: string}[];

/** Never the keys themselves. */
const keyState = ({keyFile, baseUrl}: Profile): string => {
	if (baseUrl === null) return 'its own';
	const found = readPrivate(keyFile);
	if ('text' in found) return found.text === '' ? 'none' : 'stored';
	return found.fault === 'ENOENT'
		? 'none'
		: found.fault === 'open'
			? `${keyFile} is open to others: run chmod 600 on it`
			: `${keyFile} cannot be read (${found.fault})`;
};

/** What `info` says of the settings; `problem` says what of them cannot be used. */
export const settingsFacts = (problemsOfKeys: FindKeyProblems) => {
	const file = settingsFile();
	try {
		const {profile, profiles, theme, ascii, screenReader, pictures, keepKernels, keys, text} =
			readSettings(file);
		const wrong = problemsOfKeys(keys).map(
			({entry, message}) => `${file}:${lineOf(text, ['keys', entry])}: ${entry}: ${message}`,
		);
		return {
			settings: {
				file,
				there: existsSync(file),
				theme,
				ascii,
				screen_reader: screenReader,
				pictures,
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
				keep_kernels: null,
				problem: error.message,
			},
			profiles: null,
		};
	}
};

/** A line for each profile. */
export const profileTexts = (
	profiles: ReturnType<typeof settingsFacts>['profiles'],
): Readonly<Record<string, string>> =>
	Object.fromEntries(
		Object.entries(profiles ?? {}).map(([name, {host, key, read_only, default: isDefault}]) => [
			name,
			`${host}, key ${key}${read_only ? ', read-only' : ''}${isDefault ? ', used by default' : ''}`,
		]),
	);
