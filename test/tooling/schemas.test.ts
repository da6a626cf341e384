// The schemas of src/docs/schemas and the program both accept the files that the pages show.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020} from 'ajv/dist/2020.js';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {parseRecipe} from '../../src/cli/recipe.ts';
import {SCHEMA_NAMES} from '../../src/cli/schema-names.ts';
import {readOffers} from '../../src/service/catalogue/offers.ts';
import {readJson} from '../../src/settings/json-text.ts';
import {readLimits} from '../../src/settings/limits.ts';
import {readModels} from '../../src/settings/models.ts';
import {readSettings} from '../../src/settings/settings.ts';
import {tempFolder} from '../support/temp-folder.ts';
import {SCHEMAS} from './schemas.ts';

const DOCS = join(import.meta.dirname, '../../src/docs');

const fence = (page: string, language: string): string =>
	new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(
		readFileSync(join(DOCS, `${page}.md`), 'utf8'),
	)?.[1] ?? '';

const validator = (name: string) =>
	new Ajv2020({strict: false}).compile(
		JSON.parse(readFileSync(join(DOCS, 'schemas', `${name}.json`), 'utf8')) as object,
	);

const jsonc = (text: string): Record<string, unknown> => {
	const read = readJson(text);
	return ('value' in read ? read.value : {}) as Record<string, unknown>;
};

test('each file with a schema can be asked for by name', () => {
	expect(Object.keys(SCHEMAS)).toEqual(SCHEMA_NAMES);
});

const EXAMPLES = {
	settings: {text: fence('settings', 'jsonc'), read: (file: string) => readSettings(file).theme},
	models: {text: fence('assistant', 'json'), read: (file: string) => readModels(file).size},
	catalogue: {
		text: fence('hub', 'json'),
		read: async (file: string) => (await readOffers(file, new Set())).offers.length,
	},
	limits: {
		text: JSON.stringify({dailyBudget: 50, users: {'ann@example.com': {idleStop: '2h'}}}),
		read: (file: string) => readLimits(file).users,
	},
	recipe: {
		text: fence('recipe', 'yaml'),
		read: (file: string) => parseRecipe(readFileSync(file, 'utf8'), file).server,
	},
} as const;

test.each(SCHEMA_NAMES)('the example of %s fits its schema, and may name it', async name => {
	const {text, read} = EXAMPLES[name];
	const value = (name === 'recipe' ? parse(text) : jsonc(text)) as Record<string, unknown>;
	const named = {$schema: `./${name}.schema.json`, ...value};
	const validate = validator(name);
	for (const each of [value, named]) expect(validate(each) || validate.errors).toBe(true);
	expect(validate({...value, nonsense: 1})).toBe(false);
	using folder = tempFolder();
	const file = join(folder.path, 'file');
	writeFileSync(file, text);
	const before = await read(file);
	expect(before).toBeTruthy();
	// JSON is valid YAML.
	writeFileSync(file, JSON.stringify(named));
	expect(await read(file)).toEqual(before);
});

test('a schema refuses what the reader refuses, where a schema can', () => {
	const settings = validator('settings');
	for (const wrong of [{theme: 'pink'}, {columns: {servers: ['state']}}, {profiles: {a: {dailyLimit: 0}}}])
		expect(settings(wrong), JSON.stringify(wrong)).toBe(false);
	expect(validator('recipe')({server: 'a', environment: 'ai'})).toBe(false);
	expect(validator('models')({model_9: {baseUrl: 'http://127.0.0.1', model: 'm'}})).toBe(false);
});
