// Writes lines with spdlog, as `ambient-bench file-log` does with its own cases.
//
// lines PATH buffered|flushed|calls THREADS LINES: prints nanoseconds a line, with all threads together,
// by the wall clock and by the processor time of all threads, the last flush included; with `calls`,
// how long single calls last, with two readings of a clock: half of them, 99 %, 99.9 % and all at most.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

static double nanoseconds(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) * 1e9 + double(time.tv_nsec);
}

int main(int count, char **words) {
  if (count != 5) return 64;
  const int threads = std::atoi(words[3]), lines = std::atoi(words[4]);
  const std::string customer = "a customer of ours";
  auto log = spdlog::basic_logger_mt("file", words[1]);
  // The lines of FileLog, byte for byte but for the time: 133 bytes.
  log->set_pattern("%Y-%m-%dT%H:%M:%S.%fZ %-8l %v", spdlog::pattern_time_type::utc);
  if (std::string(words[2]) == "flushed") log->flush_on(spdlog::level::info);
  const auto put = [&](int number) {
    log->info(
        "order {} placed by {} with a message long enough for a line of 133 bytes",
        100000 + number % 1000, customer);
  };
  for (int number = 0; number < 1000; number++) put(number);
  log->flush();
  const bool timed = std::string(words[2]) == "calls";
  std::vector<std::vector<double>> times(threads);
  const auto run = [&](int thread) {
    if (timed) times[thread].reserve(lines / threads);
    for (int number = 0; number < lines / threads; number++) {
      const double start = timed ? nanoseconds(CLOCK_MONOTONIC) : 0;
      put(number);
      if (timed) times[thread].push_back(nanoseconds(CLOCK_MONOTONIC) - start);
    }
  };
  const double start = nanoseconds(CLOCK_MONOTONIC), used = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
  std::vector<std::thread> all;
  for (int thread = 0; thread < threads; thread++) all.emplace_back(run, thread);
  for (auto &thread : all) thread.join();
  log->flush();
  const double wall = nanoseconds(CLOCK_MONOTONIC) - start;
  const double processor = nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - used;
  if (!timed) {
    std::printf("{\"wall\":%.3f,\"processor\":%.3f}\n", wall / lines, processor / lines);
    return 0;
  }
  std::vector<double> calls;
  for (auto &part : times) calls.insert(calls.end(), part.begin(), part.end());
  std::sort(calls.begin(), calls.end());
  const auto at = [&](double part) {
    return calls[std::min(size_t(calls.size() * part), calls.size() - 1)];
  };
  std::printf("[%.1f,%.1f,%.1f,%.1f]\n", at(0.5), at(0.99), at(0.999), at(1));
}
