import * as path from 'node:path'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'

/** A text file of a source; throws `file_not_found`. */
export function readText(file: string): string {
  const bytes = nodeDisk.readFile(file)
  if (bytes === undefined) {
    throw new CairnError({
      code: 'file_not_found',
      message: `There is no file ${file}.`,
      hint: 'Check the path.',
    })
  }
  return new TextDecoder().decode(bytes)
}

export function isFolder(file: string): boolean {
  return nodeDisk.isFolder(file) === true
}

export function exists(file: string): boolean {
  return nodeDisk.isFolder(file) !== undefined
}

/** When the file was last changed; undefined when there is none. */
export function changedMs(file: string): number | undefined {
  return nodeDisk.stamp(file)?.mtimeMs
}

export function sizeBytes(file: string): number {
  return nodeDisk.stamp(file)?.size ?? 0
}

/** Files below a folder, relative to it and in order. Links are not followed: they may lead anywhere. */
export function filesBelow(folder: string, depth = 8): string[] {
  const found: string[] = []
  const visit = (inside: string, left: number) => {
    for (const item of nodeDisk.listFolder(path.join(folder, inside)) ?? []) {
      const name = inside === '' ? item.name : `${inside}/${item.name}`
      if (item.isFile()) found.push(name)
      else if (item.isDirectory() && left > 0) visit(name, left - 1)
    }
  }
  visit('', depth)
  return found.sort()
}

/** Vaults and Markdown files that lie in a memory folder itself. */
export function memoryContent(memory: string): { name: string; isVault: boolean }[] {
  const items = [...(nodeDisk.listFolder(memory) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  return items.flatMap((item): { name: string; isVault: boolean }[] => {
    if (item.isFile() && /^(?![._]).+\.md$|^_project\.md$/.test(item.name))
      return [{ name: item.name, isVault: false }]
    const isVault =
      item.isDirectory() && CATEGORIES.some(name => exists(path.join(memory, item.name, `${name}.md`)))
    return isVault ? [{ name: `${item.name}/`, isVault }] : []
  })
}
