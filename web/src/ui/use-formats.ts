import { useMemo } from 'react'
import { type Language, useLanguage } from '../language/language.tsx'
import { readMoment } from './moment.tsx'

interface Formats {
  /** 16 March 2026 */
  day(iso: string): string
  /** 16 Mar */
  shortDay(iso: string): string
  /** 10:31 */
  time(iso: string): string
  /** 16 Mar 2026, 10:31 */
  moment(iso: string): string
  number(value: number): string
  bytes(value: number): string
  /** 1 h 12 min */
  length(ms: number): string
}

/** Formats dates, numbers and sizes in the user's language and time zone. */
export function useFormats(): Formats {
  const { language } = useLanguage()
  return useMemo(() => formatsFor(language), [language])
}

function formatsFor(language: Language, timeZone?: string): Formats {
  const locale = language === 'pt' ? 'pt-BR' : 'en-GB'
  const zone = timeZone === undefined ? {} : { timeZone }
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, ...zone })
    return (iso: string) => {
      const ms = readMoment(iso).getTime()
      return Number.isNaN(ms) ? iso : format.format(ms)
    }
  }
  const numbers = new Intl.NumberFormat(locale)
  const tenths = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  return {
    day: dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    shortDay: dates({ day: 'numeric', month: 'short' }),
    time: dates({ hour: '2-digit', minute: '2-digit' }),
    moment: dates({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }),
    number: value => numbers.format(value),
    bytes: value => {
      if (value < 1_024) return `${numbers.format(value)} B`
      if (value < 1_048_576) return `${tenths.format(value / 1_024)} KB`
      if (value < 1_073_741_824) return `${tenths.format(value / 1_048_576)} MB`
      return `${tenths.format(value / 1_073_741_824)} GB`
    },
    length: ms => {
      const minutes = Math.round(ms / 60_000)
      if (minutes < 1) return '< 1 min'
      if (minutes < 60) return `${minutes} min`
      const rest = minutes % 60
      return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
    },
  }
}

/** The day of a date in the user's time zone: 2026-03-16. */
export function localDay(iso: string): string {
  const date = readMoment(iso)
  if (Number.isNaN(date.getTime())) return iso.slice(0, 10)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
