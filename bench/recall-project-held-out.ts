import type { ScriptedProject } from './recall-projects.ts'

/** Written after the rules, and only counted: what the bundle says of it is not looked at when rules are changed. */
export const HELD_OUT_PROJECT: ScriptedProject = {
  name: 'held out: a booking site',
  files: {
    'composer.json': JSON.stringify({ name: 'acme/booking', scripts: { test: 'phpunit', lint: 'phpcs' } }),
    'public/index.php': '',
    'src/Calendar.php': '',
  },
  steps: [
    {
      remember: 'The payment provider sends amounts in cents, the accounting system wants euros.',
      kind: 'warning',
      day: 0,
    },
    { task: 'Replace the old calendar widget', day: 0 },
    { task: 'Translate the confirmation mail to Portuguese', day: 0 },
    {
      session: 'b1',
      day: 1,
      said: [
        ['user', 'Guests can book a room twice on the same night, please fix it.'],
        [
          'agent',
          'The check for free rooms and the insert are not in one transaction, so two requests at the same time both see a free room.',
        ],
        ['user', 'Always take a row lock on the room before a booking is written.'],
        [
          'agent',
          'Double bookings are fixed with the row lock. The old calendar widget is nowhere near replaced. We still have to send a mail when a booking is cancelled.',
        ],
      ],
      runs: [{ edits: ['src/Booking.php'] }, { command: 'vendor/bin/phpunit', ok: true }],
    },
    {
      session: 'b2',
      day: 3,
      said: [
        ['user', 'Traduz o e-mail de confirmação para português.'],
        [
          'agent',
          'O e-mail de confirmação está traduzido para português. Falta traduzir a página de pagamento.',
        ],
        ['user', 'Cuidado: o provedor de e-mail corta linhas acima de 998 caracteres.'],
        ['agent', 'Entendido, vou quebrar as linhas.'],
      ],
      runs: [{ edits: ['templates/confirm.pt.html'] }, { command: 'composer test', ok: true }],
    },
    {
      session: 'b3',
      day: 5,
      said: [
        ['user', 'Send the mail when a booking is cancelled, and look at the slow calendar.'],
        [
          'agent',
          'The mail for cancelled bookings is sent now, with a test. The calendar is slow because it loads every booking of the year for each month.',
        ],
        ['user', 'We will load only the visible month from now on.'],
        [
          'agent',
          'The calendar loads only the visible month. Still open: guests in other time zones see the wrong day.',
        ],
      ],
      runs: [
        { edits: ['src/Calendar.php', 'src/Mail/Cancelled.php'] },
        { command: 'composer test', ok: true },
        { command: 'composer lint', ok: false, output: 'FOUND 2 ERRORS AFFECTING 2 LINES' },
      ],
    },
  ],
  expected: {
    currentFocus: {
      must: ['mail cancelled calendar'],
      may: ['traduz', 'book room twice', 'row lock', 'visible month', 'time zones'],
      wrong: ['double booking open'],
    },
    gotchas: {
      must: ['cents euros', '998'],
      may: ['one transaction', 'row lock', 'every booking year', 'found 2 errors', 'visible month'],
      wrong: ['nowhere near'],
    },
    nextSteps: {
      must: ['calendar widget', 'pagina pagamento', 'time zones'],
      may: ['nowhere near replaced'],
      wrong: ['confirmation mail', 'mail booking cancelled', 'double', 'e-mail confirmacao'],
    },
    validationCommands: { must: ['composer test', 'composer lint'], may: ['phpunit'], wrong: [] },
  },
}
