import {expect, test} from 'vitest';
import {kernelWords} from '../../../src/tui/repl/kernel-words.ts';

const NEW = 'new kernel: variables above are gone';
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
	['no cells', [], ['']],
] as const)('between the cells is said which kernel runs them: %s', (_, cells, words) => {
	expect(kernelWords(cells)).toEqual(words);
});
