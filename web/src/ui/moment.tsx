import { useEffect, useState } from 'react'
import { type Language, useLanguage } from '../language/language.tsx'

const LOCALE: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' }
const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Parses a date. Dates of entries are UTC without a zone: `2026-03-16T16:51`. */
export function readMoment(moment: string): Date {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/.test(moment) || !moment.includes('T') ? moment : `${moment}Z`)
}

interface Written {
  readonly relative: Intl.RelativeTimeFormat
  readonly full: Intl.DateTimeFormat
}

const writtenBy = new Map<Language, Written>()

/** Cached, because creating a formatter takes as long as drawing a list row. */
function written(language: Language): Written {
  const known = writtenBy.get(language)
  if (known !== undefined) return known
  const made = {
    relative: new Intl.RelativeTimeFormat(LOCALE[language], { numeric: 'auto' }),
    full: new Intl.DateTimeFormat(LOCALE[language], { dateStyle: 'medium', timeStyle: 'short' }),
  }
  writtenBy.set(language, made)
  return made
}

/** `3 hours ago`, in the user's language. */
function relativeTime(moment: Date, now: Date, language: Language): string {
  const format = written(language).relative
  const seconds = (moment.getTime() - now.getTime()) / 1000
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  return step === undefined
    ? format.format(0, 'second')
    : format.format(Math.round(seconds / step[1]), step[0])
}

/** The full date and time, in the user's language and time zone. */
function fullDate(moment: Date, language: Language): string {
  return written(language).full.format(moment)
}

/** A relative time, with the full date in its title. */
export function Moment({ at, isFull = false }: { readonly at: string; readonly isFull?: boolean }) {
  const { language } = useLanguage()
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 60_000)
    return () => clearInterval(timer)
  }, [])
  const moment = readMoment(at)
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>
  const full = fullDate(moment, language)
  return (
    <time dateTime={moment.toISOString()} title={full}>
      {isFull ? full : relativeTime(moment, now, language)}
    </time>
  )
}
