import {
	fileEntry,
	folderEntry,
	startHostileService,
	success,
	type HostileService,
} from '../faults/hostile-service.ts';

/** A service whose server has these files, in the folders of their paths. */
export const serviceWith = (files: Readonly<Record<string, string>>): Promise<HostileService> =>
	startHostileService({
		file({path}) {
			const content = files[path];
			if (content !== undefined) return success({content: fileEntry(path, {content})});
			const above = path === '' ? '' : `${path}/`;
			const below = Object.keys(files)
				.filter(each => each.startsWith(above))
				.map(each => each.slice(above.length));
			const names = [...new Set(below.map(each => each.split('/')[0] ?? ''))];
			return success({
				content: folderEntry(
					path,
					names.map(name => {
						const whole = above + name;
						return files[whole] === undefined ? folderEntry(whole, []) : fileEntry(whole);
					}),
				),
			});
		},
	});
