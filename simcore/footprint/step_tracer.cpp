// SPDX-License-Identifier: MIT
//
// The interface of the interpreter.
#include "simcore/step_tracer.hpp"

#include "simcore/footprint/tracer.hpp"

namespace rehearse {

class StepTracer::Tracer : public footprint::Tracer {};

StepTracer::StepTracer() : tracer_(std::make_unique<Tracer>()) {}
StepTracer::~StepTracer() = default;

bool StepTracer::is_there() const { return tracer_->is_there(); }
void StepTracer::begin(const WatchedRange& range) { tracer_->begin(range); }
void StepTracer::call(void (*function)(void*, const void*), void* first, const void* second,
                      std::uint64_t thread_pointer) {
  tracer_->call(function, first, second, thread_pointer);
}
void StepTracer::note_read(std::uint64_t address, std::size_t bytes) { tracer_->note_read(address, bytes); }
bool StepTracer::is_broken() const { return tracer_->is_broken(); }
Footprint StepTracer::end(std::uint64_t stack_pointer) { return tracer_->end(stack_pointer); }

}  // namespace rehearse
