// The generated JSON files: `npm run docs` writes them, a test compares them.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod';
import {recipeFile} from '../../src/cli/recipe.ts';
import {openApiDocument} from '../../src/contract/openapi.ts';
import {catalogueFile} from '../../src/service/catalogue/offers.ts';
import {limitsFile} from '../../src/settings/limits.ts';
import {modelsFile} from '../../src/settings/models.ts';
import {settingsFields} from '../../src/settings/settings-fields.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Files that have a schema, with the schema's title. */
export const SCHEMAS = {
	settings: {title: 'Settings of svc-tui (settings.json)', schema: settingsFields},
	models: {title: 'Models of the assistant of svc-tui (models.json)', schema: modelsFile()},
	catalogue: {
		title: 'Compute options and environments of svc-tui serve --catalogue',
		schema: catalogueFile(),
	},
	limits: {title: 'Limits of svc-tui serve --limits', schema: limitsFile},
	recipe: {title: 'Recipe of svc-tui up', schema: recipeFile},
} as const;

/**
 * The JSON schema of a file. Rules that need code are not part of it, so a file that matches may
 * still be invalid.
 */
const schemaOf = ({title, schema}: (typeof SCHEMAS)[keyof typeof SCHEMAS]): object => {
	const {$schema, ...rest} = z.toJSONSchema(schema, {io: 'input', unrepresentable: 'any'});
	return {$schema, title, ...rest};
};

const printed = (value: object): string => `${JSON.stringify(value, null, '\t')}\n`;

const versionOf = (): string =>
	(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {version: string}).version;

/** Each generated file with its correct content. */
export const generatedFiles = (): readonly {readonly file: string; readonly shouldBe: string}[] => [
	{file: join(ROOT, 'src/service/http/openapi.json'), shouldBe: printed(openApiDocument(versionOf()))},
	...Object.entries(SCHEMAS).map(([name, row]) => ({
		file: join(ROOT, 'src/docs/schemas', `${name}.json`),
		shouldBe: printed(schemaOf(row)),
	})),
];
