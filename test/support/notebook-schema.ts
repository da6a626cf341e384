import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv, type ErrorObject} from 'ajv';

const schema = JSON.parse(
	readFileSync(join(import.meta.dirname, '../tui/repl/nbformat/nbformat.v4.5.schema.json'), 'utf8'),
) as {$schema?: string};
// Draft 4, without features that later drafts read differently.
delete schema.$schema;
const validate = new Ajv({strict: false, allErrors: true}).compile(schema);

/** Errors of a notebook by nbformat's own schema; empty if it is valid. */
export const notebookFaults = (notebook: unknown): readonly string[] =>
	validate(notebook)
		? []
		: (validate.errors ?? []).map(({instancePath, message}: ErrorObject) => `${instancePath} ${message}`);
