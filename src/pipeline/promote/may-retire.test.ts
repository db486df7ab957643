import { expect, it } from 'vitest'
import type { Entry } from '../../model/entry.ts'
import { mayRetire } from './may-retire.ts'

it('lets no guess of the machine retire what a person said, and nothing retire what is pinned', () => {
  const may = (older: Entry['status'], newer: Entry['status']) =>
    mayRetire({ status: older }, { status: newer })
  expect([may('confirmed', 'confirmed'), may('candidate', 'candidate'), may('confirmed', 'pinned')]).toEqual([
    true,
    true,
    true,
  ])
  expect([may('confirmed', 'candidate'), may('pinned', 'confirmed'), may('pinned', 'pinned')]).toEqual([
    false,
    false,
    false,
  ])
})
