// Generic resources of Slurm (GRES). Only GPUs are relevant here.

/** GPU type to use if the site does not define types. */
export const UNTYPED = 'gpu';

export type GresGpu = {readonly type: string; readonly count: number};

/** Splits a list at the commas outside of parentheses: `gpu:a100:2(IDX:0,3),gpu:v100:1`. */
const itemsOf = (text: string): readonly string[] =>
	text
		.replaceAll(/\([^)]*\)?/g, '')
		.split(',')
		.map(item => item.trim())
		.filter(item => item !== '');

const FLAGS = new Set(['no_consume']);
const NAME = /^[\w.-]{1,64}$/;

const toGpu = (item: string): GresGpu | null => {
	// Accepts the TRES forms `gres/gpu:a100=2` and `gres/gpu=2`, and the form of a request,
	// `gres:gpu:2`.
	const words = item
		.replace(/^gres[/:]/, '')
		.replace('=', ':')
		.split(':')
		.filter(word => !FLAGS.has(word));
	const [name, ...rest] = words;
	if (name !== 'gpu') return null;
	const last = rest.at(-1) ?? '';
	const hasCount = /^\d{1,6}$/.test(last);
	const type = (hasCount ? rest.slice(0, -1) : rest).join(':') || UNTYPED;
	return NAME.test(type) ? {type, count: hasCount ? Number(last) : 1} : null;
};

/**
 * GPUs by type in a text such as `gpu:a100:2(S:0-1),gpu:v100:1`. Ignores other resources, malformed
 * items and `(null)`.
 */
export const parseGres = (text: string): readonly GresGpu[] => {
	const counts = new Map<string, number>();
	for (const item of itemsOf(text)) {
		const gpu = toGpu(item);
		if (gpu) counts.set(gpu.type, (counts.get(gpu.type) ?? 0) + gpu.count);
	}
	return [...counts].map(([type, count]) => ({type, count}));
};

/**
 * Memory of a GPU in GiB if its type contains it: `a100_80g`, `a100-sxm4-40gb`, `3g.20gb`. Null
 * otherwise.
 */
export const vramOfType = (type: string): number | null => {
	const [, size] = /(?:^|[._-])(\d{1,4})g(?:i?b)?$/i.exec(type) ?? [];
	return size === undefined || Number(size) === 0 ? null : Number(size);
};
