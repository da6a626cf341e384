import {FileFault} from '../../engines/files.ts';
import type {About, LastError} from './about.ts';
import {code, cut, fence, linesOf, numbered, paragraphs} from './markdown.ts';
import {meaningOf} from './name-answer.ts';
import {similar, type Tree} from './server-files.ts';
import {framesOf, fullName, isCell, type Frame} from './traceback.ts';

const AROUND = 3;
const MAX_FRAMES = 3;

// Frames of the standard library and of packages. They are excluded, because a file on the server
// may have the same name.
const LIBRARY = /python\d[\d.]*(\.zip)?\/|site-packages|^<frozen/;

/**
 * Path on the server for a frame: the longest suffix of the frame's path that is a file on the
 * server. Null if there is none.
 */
export const pathOnServer = (frame: Frame, tree: Tree): string | null => {
	if (isCell(frame) || LIBRARY.test(frame.file)) return null;
	const parts = frame.file.replace(/^[~.]?\//, '').split('/');
	const paths = new Set(tree.entries.filter(entry => entry.type === 'file').map(entry => entry.path));
	return parts.map((_, at) => parts.slice(at).join('/')).find(path => paths.has(path)) ?? null;
};

const around = (lines: readonly string[], line: number): string =>
	fence(numbered(lines, line - AROUND, line + AROUND, line), 'python');

const showFrame = async (frame: Frame, path: string, {files}: About): Promise<string | null> => {
	try {
		const {content, format} = await files.get(path);
		const lines = format === 'text' && typeof content === 'string' ? linesOf(content) : [];
		if (frame.line > lines.length) return null;
		const where = frame.where === null || frame.where === '<module>' ? '' : ` in ${code(frame.where)}`;
		return `${code(path)}, line ${frame.line}${where}:\n\n${around(lines, frame.line)}`;
	} catch (error) {
		if (error instanceof FileFault) return null;
		throw error;
	}
};

/**
 * Further look-ups for exceptions whose cause may be found on the server: a missing package or
 * file.
 */
const lookFurther = async (
	{ename, evalue}: LastError,
	{lookup}: About,
	tree: Tree,
): Promise<string | null> => {
	const [, quoted = ''] = /'([^']+)'/.exec(evalue) ?? [];
	if (ename === 'ModuleNotFoundError' && quoted !== '') {
		const {installed} = await lookup.packages();
		const names = installed.map(({name}) => code(name));
		return `${code(quoted)} is not installed on this server. ${names.length === 0 ? "Nothing is installed besides Python's standard library." : `Installed: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}.`}`;
	}
	if (ename === 'FileNotFoundError' && quoted !== '') {
		const near = similar(tree.entries, quoted);
		return near.length === 0
			? `No file on this server has a name like ${code(quoted)}.`
			: `On this server there is ${near.map(entry => code(entry.path)).join(', ')}. Paths in code start at the server's root.`;
	}
	return null;
};

/** Describes the last error: its message, the lines that raised it, and its documentation. */
export const describeError = async (error: LastError, about: About, tree: Tree): Promise<string> => {
	const frames = framesOf(error.traceback);
	const [outermost] = frames;
	// The outermost frame belongs to the cell itself. The sources of other cells are unknown.
	const inCell = frames.findLast(frame => isCell(frame) && frame.file === outermost?.file);
	const source = linesOf(error.source);
	const shown: string[] = [];
	if (inCell !== undefined && error.source !== '' && inCell.line <= source.length)
		shown.push(`Line ${inCell.line} of the cell:\n\n${around(source, inCell.line)}`);
	else if (error.source !== '') shown.push(`The cell:\n\n${fence(numbered(source, 1, 12), 'python')}`);
	// Frames in files on the server. The frames between and below them are library code.
	const ours = frames.flatMap(frame => {
		const path = pathOnServer(frame, tree);
		return path === null ? [] : [{frame, path}];
	});
	for (const {frame, path} of ours.slice(-MAX_FRAMES)) {
		const lines = await showFrame(frame, path, about);
		if (lines !== null) shown.push(lines);
	}
	const found = await meaningOf(
		[...new Set([fullName(error.traceback, error.ename), error.ename])],
		about.lookup,
	);
	return paragraphs(
		`**${error.ename}**${error.evalue === '' ? '' : `: ${code(cut(error.evalue, 300))}`}`,
		...shown,
		found === null
			? `Python's documentation says nothing about ${code(error.ename)}: it may be defined by the code itself.`
			: `Meaning of ${code(found.name)} in Python's documentation: ${cut(found.meaning, 300)}`,
		await lookFurther(error, about, tree),
	);
};
