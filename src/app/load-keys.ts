import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {keymap} from '../tui/core/keys/keymap.ts';
import {ROOT} from './root.ts';

/**
 * Fills the key table of programs without screens, from the file that build/key-table.ts writes.
 */
export const loadKeys = (): void =>
	void Object.assign(keymap, JSON.parse(readFileSync(join(ROOT, 'dist/keys.json'), 'utf8')));
