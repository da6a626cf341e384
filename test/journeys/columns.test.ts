import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'vitest';
import {startHostileService} from '../faults/hostile-service.ts';
import {pressAction} from '../support/press-action.ts';
import {newHome, openProgram} from '../support/program.ts';

test('the lists have the columns that the settings choose, and are sorted through those', async () => {
	await using service = await startHostileService();
	await using home = await newHome();
	const folder = join(home.folder, '.config/svc-tui');
	await mkdir(folder, {recursive: true});
	await writeFile(
		join(folder, 'settings.json'),
		'{"columns": {"servers": ["state", "name", "rate"], "compute": ["gpu", "regions", "price"]}}',
	);
	await using terminal = await openProgram({home, env: service.env, columns: 120});
	await terminal.until(/State +Name +Rate \/h(?! +Today)/);
	pressAction(terminal, 'servers', 'sortNext');
	await terminal.until(/↑State +Name/);
	terminal.type('2');
	await terminal.until(/GPU +Up in +↑Price \/h(?! +PER)/);
});
