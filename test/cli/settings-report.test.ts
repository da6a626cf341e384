import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {coloursText, settingsReport} from '../../src/cli/settings-report.ts';
import {tempFolder} from '../support/temp-folder.ts';

const before = process.env['XDG_CONFIG_HOME'];
afterEach(() => {
	if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
	else process.env['XDG_CONFIG_HOME'] = before;
});

const factsOf = (text: string) => {
	using temp = tempFolder();
	process.env['XDG_CONFIG_HOME'] = temp.path;
	mkdirSync(join(temp.path, 'svc-tui'));
	writeFileSync(join(temp.path, 'svc-tui/settings.json'), text);
	return settingsReport(() => []).settings;
};

test('info shows the settings of the mouse and of colours', () => {
	const {mouse, colours, theme, problem} = factsOf(
		'{"mouse": true, "theme": "dark", "colours": {"accent": "#0080ff", "dim": "#777777"}}',
	);
	expect({mouse, theme, problem}).toEqual({mouse: true, theme: 'dark', problem: null});
	expect(coloursText(colours)).toBe('accent #0080ff, dim #777777');
	expect(factsOf('{}')).toMatchObject({mouse: false, colours: {}});
	expect(coloursText({})).toBeNull();
});

test('with invalid settings the same values are unknown', () => {
	const facts = factsOf('{"mouse": "sometimes"}');
	expect(Object.keys(facts)).toEqual(Object.keys(factsOf('{}')));
	expect(facts).toMatchObject({there: true, mouse: null, colours: null, theme: null, screen_reader: null});
	expect(facts.problem).toContain('settings.json:1');
});
