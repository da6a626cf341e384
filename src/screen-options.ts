import {parseArgs} from 'node:util';
import {THEMES, type Theme} from './settings/profile.ts';
import type {ServiceOptions} from './settings/target.ts';

/** What the command line of the full-screen program says. */
export type ScreenOptions = {
	readonly service: ServiceOptions;
	readonly theme: Theme | undefined;
	readonly ascii: boolean;
};

const OPTIONS = {
	'base-url': {type: 'string'}, profile: {type: 'string'}, 'api-key-file': {type: 'string'}, 'ca-file': {type: 'string'}, 'insecure-http': {type: 'boolean'},
	theme: {type: 'string'}, ascii: {type: 'boolean'},
} as const;

/** @throws {Error} with a sentence. */
export const screenOptions = (args: readonly string[]): ScreenOptions => {
	const {values} = parseArgs({args: [...args], options: OPTIONS});
	const theme = THEMES.find(each => each === values.theme);
	if (values.theme !== undefined && theme === undefined) throw new Error(`--theme ${JSON.stringify(values.theme)} is not there: it is ${THEMES.join(', ')}.`);
	if (values['base-url'] !== undefined && values.profile !== undefined) throw new Error('Give either --base-url or --profile: a profile has an address of its own.');
	return {
		service: {
			...(values['base-url'] !== undefined && {baseUrl: values['base-url']}),
			...(values.profile !== undefined && {profile: values.profile}),
			...(values['api-key-file'] !== undefined && {apiKeyFile: values['api-key-file']}),
			...(values['ca-file'] !== undefined && {caFile: values['ca-file']}),
			...(values['insecure-http'] === true && {insecureHttp: true}),
		},
		theme,
		ascii: values.ascii === true,
	};
};
