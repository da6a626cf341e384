import {expect, test} from 'vitest';
import {mouseIn} from '../../src/text/mouse.ts';

test.each([
	['\u001B[<0;1;1M', {did: 'click', x: 0, y: 0}],
	['\u001B[<0;200;50M', {did: 'click', x: 199, y: 49}],
	['\u001B[<64;3;4M', {did: 'wheelUp', x: 2, y: 3}],
	['\u001B[<65;3;4M', {did: 'wheelDown', x: 2, y: 3}],
	// Control is held.
	['\u001B[<16;3;4M', {did: 'click', x: 2, y: 3}],
	['\u001B[<32;3;4M', {did: 'drag', x: 2, y: 3}],
	['\u001B[<0;3;4m', {did: 'release', x: 2, y: 3}],
	// The right button is pressed, moved and released; then the mouse moves without a button.
	['\u001B[<2;3;4M', null],
	['\u001B[<34;3;4M', null],
	['\u001B[<2;3;4m', null],
	['\u001B[<35;3;4M', null],
	['\u001B[<0;0;4M', null],
	['\u001B[0;3;4M', null],
	['\u001B[<0;3M', null],
])('the report %j is %j', (report, event) => {
	expect(mouseIn(report)).toEqual(event);
});
