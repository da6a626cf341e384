// Builds `dist/` if it is outdated. Often it is not, because `npm ci` has just built it.
import {join} from 'node:path';
import {isBuilt} from './stamp.ts';

if (isBuilt(join(import.meta.dirname, '../..'))) console.log('dist/ is already built from these sources');
else await import('./build.ts');
