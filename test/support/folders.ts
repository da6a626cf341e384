import {readdirSync} from 'node:fs';
import {join} from 'node:path';

/** The data folder of a home's local service. */
export const serviceFolder = (home: {readonly folder: string}): string =>
	join(home.folder, '.local/share/svc-tui/service');

/** The folder of a service's only server. */
export const serverFolder = (service: string): string =>
	join(service, 'servers', readdirSync(join(service, 'servers'))[0] ?? '');
