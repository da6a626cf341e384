import {expect, test} from 'vitest';
import {createPlacedPictures} from '../../src/app/placed-pictures.ts';

const CELLS = {width: 3, height: 2};

const pictures = ({isAway = false, isInTmux = false, pane = 0} = {}) => {
	const written: string[] = [];
	const made = createPlacedPictures(
		text => written.push(text),
		() => isAway,
		{isInTmux, pane},
	);
	return {
		...made,
		/** Graphics commands written since the last call, each as its keys. */
		told(): readonly string[] {
			const found = [...written.join('').matchAll(/\u001B_Ga=(\w)[^;\u001B]*,i=(\d+)/g)].map(
				([, a, id]) => `${a} ${id}`,
			);
			written.length = 0;
			return found;
		},
		bytes: () => written.join(''),
	};
};
const never = (): void => expect.unreachable();

test('leftovers of a killed program in this pane are deleted before the first picture is sent', () => {
	const first = pictures({pane: 7});
	const id = first.place('AAAA', CELLS, never);
	const second = pictures({pane: 7});
	expect(second.told()).toContain(`d ${id}`);
	expect(pictures({pane: 8}).told()).not.toContain(`d ${id}`);
});

test('the number of pictures is limited; the oldest is dropped, and its place is reported', () => {
	const made = pictures();
	const gone: number[] = [];
	const ids = Array.from({length: 33}, (_, at) => made.place('AAAA', CELLS, () => gone.push(at)));
	expect(gone).toEqual([0]);
	expect(ids[32]).toBe(ids[0]);
	expect(new Set(ids).size).toBe(32);
	made.told();
	made.place('A'.repeat(15_999_999), CELLS, never);
	expect(made.told().filter(each => each.startsWith('d'))).toHaveLength(32);
});

test('they are sent again where another screen has come, and all are deleted at the end', async () => {
	const made = pictures();
	const [one, other] = [made.place('AAAA', CELLS, never), made.place('AAAA', CELLS, never)];
	made.drop(one);
	made.told();
	made.wrote('a frame');
	await new Promise(resolve => setImmediate(resolve));
	expect(made.told()).toEqual([]);
	made.wrote('\u001B[?1049h');
	expect(made.told()).toEqual([]);
	await new Promise(resolve => setImmediate(resolve));
	expect(made.told()).toEqual([`T ${other}`]);
	made.clear();
	expect(made.told()).toEqual([`d ${other}`]);
	made.clear();
	expect(made.told()).toEqual([]);
});

test('inside tmux the terminal around it keeps them, and they are not sent again', async () => {
	const made = pictures({isInTmux: true});
	made.place('AAAA', CELLS, never);
	made.told();
	made.wrote('\u001B[?1049h');
	await new Promise(resolve => setImmediate(resolve));
	expect(made.bytes()).toBe('');
});

test('nothing is written while another program has the terminal', () => {
	const made = pictures({isAway: true});
	made.place('AAAA', CELLS, never);
	made.clear();
	expect(made.bytes()).toBe('');
});

test('through tmux each command goes for itself', () => {
	const made = pictures({isInTmux: true});
	made.told();
	made.place('A'.repeat(9000), CELLS, never);
	const parts = made.bytes().split('\u001BPtmux;').slice(1);
	expect(parts).toHaveLength(3);
	for (const part of parts) expect(part).toMatch(/^\u001B\u001B_G[^\u001B]*\u001B\u001B\\\u001B\\$/);
});
