import type {Context} from './context.ts';
import {printResult} from './print.ts';
import type {SchemaName} from './schema-names.ts';

/** Runs `schema`. */
export const printSchema = async (context: Context, name: SchemaName): Promise<void> => {
	const text = await context.readPackaged(`src/docs/schemas/${name}.json`);
	await printResult(context, JSON.parse(text), text.trimEnd());
};
