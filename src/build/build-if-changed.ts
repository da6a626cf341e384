// Builds `dist/` unless the last build is of the present sources: `npm ci` has often just built it.
import {join} from 'node:path';
import {isBuilt} from './stamp.ts';

if (isBuilt(join(import.meta.dirname, '../..'))) console.log('dist/ is built of these sources already');
else await import('./build.ts');
