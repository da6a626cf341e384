// Builds `dist/` unless it is up to date: `npm ci` has often just built it.
import {join} from 'node:path';
import {isBuilt} from './stamp.ts';

if (isBuilt(join(import.meta.dirname, '../..'))) console.log('dist/ is already built from these sources');
else await import('./build.ts');
