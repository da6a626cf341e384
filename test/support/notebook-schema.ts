import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv, type ErrorObject} from 'ajv';

const schema = JSON.parse(
	readFileSync(join(import.meta.dirname, '../tui/repl/nbformat/nbformat.v4.5.schema.json'), 'utf8'),
) as {$schema?: string};
// The schema is for draft 4, but uses no feature whose meaning later drafts have changed.
delete schema.$schema;
const validate = new Ajv({strict: false, allErrors: true}).compile(schema);

/** Errors of a notebook according to nbformat's schema; empty if it is valid. */
export const notebookFaults = (notebook: unknown): readonly string[] =>
	validate(notebook)
		? []
		: (validate.errors ?? []).map(({instancePath, message}: ErrorObject) => `${instancePath} ${message}`);
