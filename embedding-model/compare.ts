// AssemblyScript: comparing vectors where V8 has not optimised anything yet. A process that answers one prompt would spend a tenth of
// its time on these two loops in the interpreter. src/features/search/decide/vectors.ts holds the few hundred bytes this compiles
// to, and its test compiles them again.

/** In how many bits each slot of `words` 32-bit words differs from `query`, as u16; 0xffff for a slot that holds nothing. */
export function distances(block: usize, slots: i32, query: usize, words: i32, to: usize): void {
  const end = query + ((<usize>words) << 2)
  for (let slot = 0; slot < slots; slot++) {
    let held: u32 = 0
    let differing: u32 = 0
    for (let at = query; at < end; at += 4) {
      const word = load<u32>(block)
      held |= word
      differing += popcnt<u32>(word ^ load<u32>(at))
      block += 4
    }
    store<u16>(to, held === 0 ? 0xffff : differing)
    to += 2
  }
}

/** Of int8 and f32, a multiple of four of them: in the same four sums as the JavaScript beside it, so that both give the same number. */
export function dot(codes: usize, query: usize, dimensions: i32): f64 {
  let s0: f64 = 0
  let s1: f64 = 0
  let s2: f64 = 0
  let s3: f64 = 0
  const end = codes + <usize>dimensions
  for (; codes < end; codes += 4) {
    s0 += <f64>load<i8>(codes) * <f64>load<f32>(query)
    s1 += <f64>load<i8>(codes, 1) * <f64>load<f32>(query, 4)
    s2 += <f64>load<i8>(codes, 2) * <f64>load<f32>(query, 8)
    s3 += <f64>load<i8>(codes, 3) * <f64>load<f32>(query, 12)
    query += 16
  }
  return s0 + s1 + s2 + s3
}
