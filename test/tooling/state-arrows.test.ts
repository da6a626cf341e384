// @module-tag long
// Checks uses of State's members across features, which import rules cannot see.
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join, relative} from 'node:path';
import ts from 'typescript';
import {expect, test} from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** The features in order. Each may only be used by later ones. */
const ROOMS = (
	createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {forbidden: {name: string}[]}
).forbidden
	.filter(({name}) => name.startsWith('room-'))
	.map(({name}) => name.slice('room-'.length));

/** The feature to which a file of src/tui belongs. Null for files that compose the features. */
const roomOf = (file: string): string | null => {
	const [room = '', rest] = relative(join(ROOT, 'src/tui'), file).split('/');
	return rest === undefined || room === '..' ? null : room;
};

const programOf = (): ts.Program => {
	const path = join(ROOT, 'tsconfig.json');
	const {config} = ts.parseConfigFileTextToJson(path, readFileSync(path, 'utf8')) as {config: object};
	const {options} = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
	return ts.createProgram(
		[join(ROOT, 'src/tui/feature-list.ts'), join(ROOT, 'src/tui/core/program.ts')],
		options,
	);
};

/**
 * Finds functions in State, calls of them from other features, and uses of members of a later
 * feature.
 */
const usesOf = (program: ts.Program) => {
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(join(ROOT, 'src/tui/core/program.ts'));
	if (source === undefined) throw new Error('src/tui/core/program.ts is not in the program');
	const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
	const state = checker.getDeclaredTypeOfSymbol(exported.find(({name}) => name === 'State')!);
	const members = new Map<ts.Node, {readonly room: string; readonly isFunction: boolean}>();
	let functions = 0;
	for (const member of state.getProperties()) {
		const isFunction = checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
		if (isFunction) functions++;
		for (const node of member.declarations ?? []) {
			const room = roomOf(node.getSourceFile().fileName);
			if (room !== null) members.set(node, {room, isFunction});
		}
	}
	let callsAcross = 0;
	const upward = new Set<string>();
	const count = (declared: readonly ts.Node[] | undefined, from: string, name: string): void => {
		const member = declared?.map(each => members.get(each)).find(each => each !== undefined);
		if (member === undefined) return;
		if (member.isFunction && member.room !== from) callsAcross++;
		if (ROOMS.indexOf(member.room) > ROOMS.indexOf(from)) upward.add(`${from} -> ${member.room}: ${name}`);
	};
	for (const file of program.getSourceFiles()) {
		const from = roomOf(file.fileName);
		if (from === null || file.isDeclarationFile) continue;
		const visit = (node: ts.Node): void => {
			if (ts.isPropertyAccessExpression(node))
				count(checker.getSymbolAtLocation(node.name)?.declarations, from, node.name.text);
			else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
				const name = node.propertyName ?? node.name;
				if (ts.isIdentifier(name))
					count(checker.getTypeAtLocation(node.parent).getProperty(name.text)?.declarations, from, name.text);
			}
			ts.forEachChild(node, visit);
		};
		visit(file);
	}
	return {functions, callsAcross, upward: [...upward].sort()};
};

test('no room uses members of a later one through the state', () => {
	const {functions, callsAcross, upward} = usesOf(programOf());
	console.info(`State: ${functions} functions, ${callsAcross} calls of them across rooms`);
	expect(upward).toEqual([]);
});
