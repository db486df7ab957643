import * as path from 'node:path'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { nodeDisk } from '../../../kernel/system/disk.ts'

/** Reads a text file of a source; throws `file_not_found`. */
export function readText(file: string): string {
  const bytes = nodeDisk.readFile(file)
  if (bytes === undefined) {
    throw new CairnError({
      code: 'file_not_found',
      message: `File not found: ${file}.`,
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

/** The modification time of the file; undefined if it does not exist. */
export function changedMs(file: string): number | undefined {
  return nodeDisk.stamp(file)?.mtimeMs
}

export function sizeBytes(file: string): number {
  return nodeDisk.stamp(file)?.size ?? 0
}

/** Files below a folder, relative to it, in order. Links are not followed, because they may lead anywhere. */
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

/** Vaults and Markdown files directly in a memory folder. */
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
