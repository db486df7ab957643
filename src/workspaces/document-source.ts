import type { Config } from '../model/config.ts'
import type { Problem } from '../model/search.ts'
import type { WorkspaceDocument } from '../model/workspace.ts'
import type { DocumentSource } from '../pipeline/workspace/document-source.ts'
import { learningDocuments, overviewDocument, planDocument } from '../pipeline/workspace/documents.ts'
import { bodyOf } from '../pipeline/workspace/front-matter.ts'
import { readLearnings } from '../pipeline/workspace/learnings-file.ts'
import { type Place, placeOf } from '../pipeline/workspace/place.ts'
import { type Read, readOverview, readPlan } from '../pipeline/workspace/read-plan.ts'
import type { WorkspaceFolder } from '../pipeline/workspace/workspace-folder.ts'
import { readYamlFields } from '../pipeline/workspace/yaml-front-matter.ts'
import { redact } from '../text/redaction/redact.ts'
import { redactionOptions } from '../text/redaction/redaction-options.ts'
import { tooLarge } from './too-large.ts'

interface Documents {
  readonly documents: readonly WorkspaceDocument[]
  readonly problems: readonly Problem[]
}

/** The files of the workspaces for whoever keeps an index of them: found, read, and freed of secrets. */
export function documentSource(folder: WorkspaceFolder, config: () => Config): DocumentSource {
  return {
    exists: () => folder.exists(),
    survey: () =>
      folder
        .survey()
        .places.filter(place => place.kind !== 'abstract')
        .flatMap(place => folder.stamp(place.path) ?? []),
    read(path) {
      const place = placeOf(path, folder.roots)
      const file = place === undefined ? undefined : folder.readText(path)
      if (place === undefined || file === undefined || file.kind === 'gone') return undefined
      if (file.kind === 'unreadable') return { documents: [], problems: [file.problem] }
      const { documents, problems } = documentsOf(file.text, place)
      return withoutSecrets(
        { documents, problems: file.isWhole ? problems : [...problems, tooLarge(path)] },
        config(),
      )
    },
  }
}

function documentsOf(text: string, place: Place): Documents {
  const file = { text, place, yaml: readYamlFields }
  if (place.kind === 'plan') return documentOf(readPlan(file), plan => planDocument(plan, bodyOf(text)))
  if (place.kind === 'overview')
    return documentOf(readOverview(file), overview => overviewDocument(overview, bodyOf(text)))
  if (place.kind === 'abstract') return { documents: [], problems: [] }
  const { learnings, problems } = readLearnings(text, place)
  return { documents: learningDocuments(learnings), problems }
}

function documentOf<T>(read: Read<T>, make: (value: T) => WorkspaceDocument): Documents {
  if (read.kind === 'not_plain') throw new Error('the whole parser was given')
  if (read.kind === 'left_out') return { documents: [], problems: [read.problem] }
  return { documents: [make(read.value)], problems: read.problems }
}

function withoutSecrets({ documents, problems }: Documents, config: Config): Documents {
  const options = redactionOptions(config)
  const clean = (text: string) => redact(text, options).text
  return {
    documents: documents.map(document => ({
      ...document,
      title: clean(document.title),
      text: clean(document.text),
      tags: document.tags.map(clean),
      ...(document.category !== undefined && { category: clean(document.category) }),
    })),
    problems: problems.map(problem => ({ ...problem, message: clean(problem.message) })),
  }
}
