import type { DocumentFile } from './document-source.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

/** Every file that may hold documents, by stamp. Apart from what reads them: every search and brief asks this first. */
export function surveyDocuments(folder: WorkspaceFolder): DocumentFile[] {
  return folder
    .survey()
    .places.filter(place => place.kind !== 'abstract')
    .flatMap(place => folder.stamp(place.path) ?? [])
}
