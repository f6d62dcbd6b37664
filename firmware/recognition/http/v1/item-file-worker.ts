/** The thread that reads one large file of items. */
import { servePages } from '../../../../drivers/lib/paged-thread.ts';
import { HttpFailure } from '../../../core/http/index.ts';
import { ItemError } from '../../model/item.ts';
import { fileFindings } from './item-file.ts';

servePages(fileFindings, [HttpFailure, ItemError]);
