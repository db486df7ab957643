import type { LabelledPair } from './conflict-sample.ts'

/**
 * Thirty pairs from trades that the other sample does not speak of: firmware, games, maps, audio, science, print, robots, the law.
 * Labelled before the rules were touched again, and looked at since. Half cannot both hold; the other half are the hard kind: the same subject in another
 * scope, a refinement, a paraphrase, something that follows. `b` is the newer one.
 */
const against = (a: string, b: string): LabelledPair => ({ half: 'other trades', a, b, conflict: true })
const beside = (a: string, b: string): LabelledPair => ({ half: 'other trades', a, b, conflict: false })

/** Written when the rules stood again, from other trades still, and only counted. */
const UNSEEN: readonly (readonly [a: string, b: string, conflict: boolean])[] = [
  ['The greenhouse vents open at 24 degrees.', 'Vents in the greenhouse open at 28 degrees.', true],
  ['Seeds are watered in the morning.', 'Seeds are watered in the evening.', true],
  ['Exams are marked by two teachers.', 'Each exam is marked by one teacher.', true],
  ['Pupils may use calculators in the exam.', 'Calculators are forbidden in exams.', true],
  ['The lift stops at every floor at night.', 'At night the lift skips the third floor.', true],
  ['Parcels are scanned on arrival.', 'Parcels are no longer scanned on arrival.', true],
  ['Drivers are paid by the hour.', 'Drivers are paid by the parcel.', true],
  ['Beds are booked by phone.', 'We moved bed booking to the web portal.', true],
  ['Samples are kept frozen.', 'Samples are kept at room temperature.', true],
  ['The archive is open to the public.', 'Only staff may enter the archive.', true],
  ['Votes are counted by hand.', 'A machine counts the votes.', true],
  ['O forno liga às 5h.', 'O forno passou a ligar às 4h.', true],
  ['O cardápio muda toda semana.', 'O cardápio é o mesmo o ano todo.', true],
  ['As mesas são reservadas por telefone.', 'Reservas de mesa só pelo aplicativo.', true],
  ['The greenhouse vents open at 24 degrees.', 'The greenhouse lamps go on at dusk.', false],
  ['Seeds are watered in the morning.', 'Cuttings are watered in the evening.', false],
  ['Exams are marked by two teachers.', 'The second teacher does not see the first mark.', false],
  ['Calculators are forbidden in the written exam.', 'Calculators are allowed in the lab.', false],
  ['The lift stops at every floor.', 'The lift has a capacity of eight people.', false],
  ['Parcels over 30 kg go by freight.', 'Parcels up to 30 kg go by courier.', false],
  ['Drivers are paid by the hour.', 'Drivers get a bonus for nights.', false],
  ['Never leave samples in the sun.', 'Samples are stored in the dark.', false],
  ['The archive is open to the public.', 'Visitors of the archive show a passport.', false],
  ['Votes are counted by hand.', 'Every ballot is counted twice.', false],
  ['O forno liga às 5h.', 'O forno desliga às 14h.', false],
  ['O cardápio muda toda semana.', 'A carta de vinhos muda uma vez por ano.', false],
  ['Não servir álcool a menores.', 'Menores pagam meia entrada.', false],
  ['As mesas são reservadas por telefone.', 'Mesas para mais de dez pessoas pedem sinal.', false],
]

export const OTHER_TRADES_SAMPLE: readonly LabelledPair[] = [
  against(
    'The watchdog resets the board after 4 seconds of silence.',
    'The board is reset by the watchdog when it hears nothing for 10 seconds.',
  ),
  against('Sensor readings are sampled at 50 Hz.', 'Sensors are sampled at 200 Hz.'),
  against('The bootloader checks the signature of every image.', 'Firmware images are loaded unsigned.'),
  against(
    'Sprites are drawn back to front.',
    'Draw sprites front to back so that the depth test rejects early.',
  ),
  against('Physics runs with a fixed time step.', 'The physics step is variable and follows the frame rate.'),
  against('Enemies may see through smoke.', 'Smoke hides the player from enemies.'),
  against('Tiles are stored in Web Mercator.', 'Store tiles in WGS84.'),
  against('Coordinates are written longitude first.', 'We write latitude first in coordinates.'),
  against('Missing readings are filled with the mean.', 'Rows with missing readings are dropped.'),
  against('The model is trained on all patients.', 'Patients under 18 are left out of training.'),
  against('Recordings are mixed down to mono.', 'We keep recordings in stereo.'),
  against('O robô freia quando perde o sinal.', 'Ao perder o sinal, o robô segue em frente.'),
  against('As faturas são enviadas por correio.', 'As faturas passaram a ser enviadas por e-mail.'),
  against('Contracts are signed on paper.', 'Since May contracts are signed electronically.'),
  against('Rounding is done per line.', 'We round once, on the invoice total.'),
  beside('The left motor turns clockwise.', 'The right motor turns counter-clockwise.'),
  beside('Sampling at 50 Hz is enough for temperature.', 'Vibration is sampled at 2 kHz.'),
  beside('The display sleeps after 30 seconds.', 'The radio sleeps after 5 minutes.'),
  beside('Textures are compressed.', 'Textures are compressed with BC7 at build time.'),
  beside(
    'Do not allocate memory in the render loop.',
    'All buffers are allocated before the render loop starts.',
  ),
  beside('Save games are versioned.', 'A save game carries the number of its format.'),
  beside('Street names are shown from zoom level 15.', 'House numbers are shown from zoom level 17.'),
  beside('Elevation is in metres.', 'Depth below sea level is in metres too.'),
  beside('Patients are identified by a pseudonym.', 'Names of patients never leave the clinic.'),
  beside(
    'The validation set is never used for training.',
    'Hyperparameters are chosen on the validation set.',
  ),
  beside('Podcasts are encoded at 128 kbit/s.', 'Music is encoded at 320 kbit/s.'),
  beside('Não abrir a válvula sem pressão.', 'A válvula só abre quando há pressão.'),
  beside('Os contratos são guardados por dez anos.', 'Os orçamentos são guardados por dois anos.'),
  beside('Never round intermediate results.', 'The invoice total is rounded to cents.'),
  beside(
    'The robot stops when the bumper is hit.',
    'After a stop the robot waits for a person before it moves again.',
  ),

  ...UNSEEN.map(([a, b, conflict]): LabelledPair => ({ half: 'unseen', a, b, conflict })),
]
