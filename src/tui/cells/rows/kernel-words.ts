import type {Cell} from '../cell.ts';

type Known = Pick<Cell, 'life' | 'others' | 'isLastOfKernel'>;

const NEW = 'new kernel: variables above are gone';
const OTHER = 'another kernel: variables above are not in it';

const OTHERS = 'another program or notebook ran';

const kernelOf = (life: string): string => life.slice(0, life.indexOf('/'));

/** Line about the kernel above each cell, and above the next cell to run; `''` for none. */
export const kernelTexts = (cells: readonly Known[]): readonly string[] => {
	let last: string | undefined;
	let isNew = false;
	const words = cells.map(({life, others = 0, isLastOfKernel}) => {
		const said = isNew
			? NEW
			: life === undefined || last === undefined || life === last
				? others > 0
					? `${OTHERS} ${others === 1 ? 'a cell' : `${others} cells`} in this kernel`
					: ''
				: kernelOf(life) === kernelOf(last)
					? NEW
					: OTHER;
		last = life ?? (isNew ? undefined : last);
		isNew = isLastOfKernel === true;
		return said;
	});
	return [...words, isNew ? NEW : ''];
};
