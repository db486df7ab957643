import type { Config } from '../../kernel/model/config.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { WorkspaceDocument } from '../../kernel/model/workspace.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { snapshotDocuments } from './decide/document-snapshot.ts'
import type { DocumentSource } from './decide/document-source.ts'
import { learningDocuments, overviewDocument, planDocument, resourceDocument } from './decide/documents.ts'
import { bodyOf } from './decide/front-matter.ts'
import { readLearnings } from './decide/learnings-file.ts'
import { type DocumentPlace, placeOf } from './decide/place.ts'
import { FieldReader, type Read, readFields, readOverview, readPlan, tooLarge } from './decide/read-fields.ts'
import type { WorkspaceFolder } from './decide/workspace-folder.ts'
import { readYamlFields } from './decide/yaml-front-matter.ts'

interface Documents {
  readonly documents: readonly WorkspaceDocument[]
  readonly problems: readonly Problem[]
}

/** The files of the workspaces for the document index: found, read and redacted. */
export function documentSource(folder: WorkspaceFolder, config: () => Config): DocumentSource {
  return {
    exists: () => folder.exists(),
    survey: () => snapshotDocuments(folder).files,
    read(path) {
      const place = placeOf(path, folder.roots)
      const file = place === undefined ? undefined : folder.readText(path)
      if (place === undefined || file === undefined || file.kind === 'gone') return undefined
      if (file.kind === 'unreadable') return { documents: [], problems: [file.problem] }
      const clean = cleaner(config())
      if (clean(path) !== path) return { documents: [], problems: [secretInName(clean(path))] }
      const { documents, problems } = documentsOf(file.text, place, clean)
      return withoutSecrets(
        { documents, problems: file.isWhole ? problems : [...problems, tooLarge(path)] },
        clean,
      )
    },
  }
}

function documentsOf(text: string, place: DocumentPlace, clean: Clean): Documents {
  const file = { text, place, yaml: readYamlFields }
  if (place.kind === 'plan') return documentOf(readPlan(file), plan => planDocument(plan, bodyOf(text)))
  if (place.kind === 'overview')
    return documentOf(readOverview(file), overview => overviewDocument(overview, bodyOf(text)))
  if (place.kind === 'abstract') return { documents: [], problems: [] }
  if (place.kind === 'feature' || place.kind === 'spike' || place.kind === 'architecture') {
    // These files are for people, so missing front matter is not reported.
    const reading = readFields(text, { path: place.path, form: '', yaml: readYamlFields })
    const fields = reading.kind === 'read' ? new FieldReader(reading.fields, place.path) : undefined
    const document = resourceDocument(place, place.kind, { text, fields })
    return { documents: document.text === '' ? [] : [document], problems: fields?.problems ?? [] }
  }
  const { learnings, problems } = readLearnings(text, place)
  // The ids of learnings are made from their titles.
  const free = learnings.map(learning => ({ ...learning, title: clean(learning.title) }))
  return { documents: learningDocuments(free), problems }
}

function documentOf<T>(read: Read<T>, make: (value: T) => WorkspaceDocument): Documents {
  if (read.kind === 'not_plain') throw new Error('the whole parser was given')
  if (read.kind === 'left_out') return { documents: [], problems: [read.problem] }
  return { documents: [make(read.value)], problems: read.problems }
}

type Clean = (text: string) => string

function cleaner(config: Config): Clean {
  const options = redactionOptions(config)
  return text => redact(text, options).text
}

function secretInName(path: string): Problem {
  return {
    code: 'secret_in_name',
    path,
    message: `${path} has a secret in its name; it was left out.`,
    hint: 'Give the file, or its folder, another name, and change the secret where it is used.',
  }
}

function withoutSecrets({ documents, problems }: Documents, clean: Clean): Documents {
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
