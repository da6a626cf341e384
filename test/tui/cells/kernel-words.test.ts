import {expect, test} from 'vitest';
import {kernelTexts} from '../../../src/tui/cells/rows/kernel-words.ts';

const NEW = 'new kernel: variables above are gone';
const OTHERS = 'another program or notebook ran';
const OTHER = 'another kernel: variables above are not in it';

test.each([
	['one kernel', [{life: 'a/1'}, {life: 'a/1'}], ['', '', '']],
	['it began again', [{life: 'a/1'}, {life: 'a/2'}, {life: 'a/2'}], ['', NEW, '', '']],
	['another one', [{life: 'a/1'}, {life: 'b/9'}], ['', OTHER, '']],
	['what is not known is not said', [{life: 'a/1'}, {}, {life: 'a/1'}, {}], ['', '', '', '', '']],
	['across cells of which nothing is known', [{life: 'a/1'}, {}, {life: 'a/2'}], ['', '', NEW, '']],
	['it ended, and nothing came since', [{life: 'a/1', isLastOfKernel: true}], ['', NEW]],
	['said once', [{life: 'a/1', isLastOfKernel: true}, {}, {life: 'a/2'}], ['', NEW, '', '']],
	['twice', [{isLastOfKernel: true}, {life: 'a/2', isLastOfKernel: true}], ['', NEW, NEW]],
	['cells of others', [{life: 'a/1'}, {life: 'a/1', others: 1}], ['', `${OTHERS} a cell in this kernel`, '']],
	['several', [{others: 12}], [`${OTHERS} 12 cells in this kernel`, '']],
	['of a kernel that is gone', [{life: 'a/1'}, {life: 'a/2', others: 1}], ['', NEW, '']],
	['no cells', [], ['']],
] as const)('a line between the cells names the kernel that runs them: %s', (_, cells, words) => {
	expect(kernelTexts(cells)).toEqual(words);
});
