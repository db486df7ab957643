import { textHash } from '../../kernel/system/content-hash.ts'
import { type InstallRecord, readRecord } from './decide/install-record.ts'
import type { InstallParts } from './install-parts.ts'

/** One file a record, named after its path. Only this user may read them: they say where the settings are. */
export function installRecords({ privateDisk: disk, records, unique }: InstallParts) {
  const fileOf = (path: string) => `${records}/${textHash(path)}.json`
  const read = (file: string) => {
    const bytes = disk.readFile(file)
    return bytes === undefined ? undefined : readRecord(new TextDecoder().decode(bytes))
  }
  return {
    find(path: string): InstallRecord | undefined {
      const record = read(fileOf(path))
      return record?.path === path ? record : undefined
    },
    all(): InstallRecord[] {
      return (disk.listFolder(records) ?? [])
        .filter(({ name }) => /^[0-9a-f]{16}\.json$/.test(name))
        .flatMap(({ name }) => read(`${records}/${name}`) ?? [])
        .sort((one, other) => (one.path < other.path ? -1 : 1))
    },
    put(record: InstallRecord): void {
      if (disk.isFolder(records) !== true) disk.makeFolder(records)
      const file = fileOf(record.path)
      const temporary = `${file}.${unique()}.cairn-tmp`
      try {
        disk.writeFile(temporary, new TextEncoder().encode(`${JSON.stringify(record)}\n`))
        disk.rename(temporary, file)
      } catch (error) {
        disk.remove(temporary)
        throw error
      }
      disk.syncFolder(records)
    },
    remove: (path: string) => disk.remove(fileOf(path)),
  }
}
