import type { Disk } from '../../src/kernel/system/disk.ts'
import { nodeDisk } from '../../src/kernel/system/disk.ts'

export interface FailingDisk {
  readonly disk: Disk
  /** How many steps that write were taken so far. */
  steps(): number
}

const WRITING = [
  'writeFile',
  'append',
  'appendSoon',
  'truncate',
  'rename',
  'link',
  'remove',
  'removeFolder',
  'removeEmptyFolder',
  'makeFolder',
  'makeLink',
  'syncFolder',
] as const

/**
 * A real disk whose nth writing step fails, and then every one after it when `forGood` (a dead process), or only that one.
 * A failing write leaves half of its bytes behind, as a full disk does.
 */
export function failingDisk(
  failAt: number,
  { forGood, code = 'EIO' }: { readonly forGood: boolean; readonly code?: 'EIO' | 'ENOSPC' },
): FailingDisk {
  let step = 0
  const fails = () => {
    step++
    return forGood ? step >= failAt : step === failAt
  }
  const failure = (name: string) =>
    Object.assign(new Error(`${code}: injected, step ${step} (${name})`), { code })
  const disk: Disk = {
    ...nodeDisk,
    ...Object.fromEntries(
      WRITING.map(name => [
        name,
        (...values: never[]) => {
          if (fails()) {
            if (name === 'writeFile' || name === 'append' || name === 'appendSoon') {
              const [file, bytes] = values as unknown as [string, Uint8Array]
              nodeDisk[name](file, bytes.subarray(0, bytes.length >> 1))
            }
            throw failure(name)
          }
          return (nodeDisk[name] as (...all: never[]) => unknown)(...values)
        },
      ]),
    ),
  }
  return { disk, steps: () => step }
}
