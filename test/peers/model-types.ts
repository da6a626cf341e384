import {join} from 'node:path';
import ts from 'typescript';
import {PEERS} from './install-peers.ts';

const options: ts.CompilerOptions = {
	strict: true,
	exactOptionalPropertyTypes: true,
	noEmit: true,
	skipLibCheck: true,
	types: [],
	target: ts.ScriptTarget.ES2024,
	lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/**
 * TypeScript's errors, by name, for these responses as values of JupyterLab's contents type. The
 * values are literals, so fields that the type does not have are errors too. `type` may refine
 * `Contents.IModel` of `@jupyterlab/services`.
 */
export const typeErrors = (
	models: Readonly<Record<string, unknown>>,
	type = 'Contents.IModel',
): Readonly<Record<string, readonly string[]>> => {
	const names = Object.keys(models);
	const lines = names.map(
		(name, index) => `export const model${index}: ${type} = ${JSON.stringify(models[name])};`,
	);
	const source = ["import type {Contents} from '@jupyterlab/services';", ...lines].join('\n');
	// The file need not exist. Its path determines where TypeScript finds the peers' packages.
	const file = join(PEERS, 'models.ts');
	const host = ts.createCompilerHost(options);
	const {getSourceFile, fileExists} = host;
	host.getSourceFile = (name, ...rest) =>
		name === file
			? ts.createSourceFile(file, source, ts.ScriptTarget.ES2024)
			: getSourceFile.call(host, name, ...rest);
	host.fileExists = name => name === file || fileExists.call(host, name);
	const program = ts.createProgram({rootNames: [file], options, host});
	const found = Object.fromEntries(names.map((name): [string, string[]] => [name, []]));
	for (const {file: where, start = 0, messageText} of ts.getPreEmitDiagnostics(program)) {
		const message = ts.flattenDiagnosticMessageText(messageText, '\n');
		const line = where?.fileName === file ? where.getLineAndCharacterOfPosition(start).line : 0;
		const name = names[line - 1];
		if (name === undefined) throw new Error(`JupyterLab's types cannot be used: ${message}`);
		found[name]?.push(message);
	}
	return found;
};
